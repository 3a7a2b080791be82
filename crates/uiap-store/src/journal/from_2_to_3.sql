-- Traces of requests that never became actions.
CREATE TABLE turned_away (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    handle TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX turned_away_by_age ON turned_away (at);
