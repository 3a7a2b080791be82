-- Every process that has opened the journal, until nothing refers to it any more.
CREATE TABLE holder (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The name of its lock file.
    name TEXT NOT NULL UNIQUE,
    -- The first holder that began after the end of this one; nothing as long as nobody found it dead.
    ended_before INTEGER
) STRICT;
-- Which process admitted it; nothing for what was kept before there were holders.
ALTER TABLE action ADD COLUMN holder INTEGER;
CREATE INDEX action_by_holder ON action (holder, seq);
ALTER TABLE turned_away ADD COLUMN holder INTEGER;
CREATE INDEX turned_away_by_holder ON turned_away (holder, seq);
