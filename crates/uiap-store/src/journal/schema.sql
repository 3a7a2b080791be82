-- Every process that has opened the journal, until nothing refers to it any more.
CREATE TABLE holder (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The name of its lock file.
    name TEXT NOT NULL UNIQUE,
    -- The first holder that began after the end of this one; nothing as long as nobody found it dead.
    ended_before INTEGER
) STRICT;

-- Every action that was admitted, until it is forgotten.
CREATE TABLE action (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    handle TEXT NOT NULL UNIQUE,
    action_id TEXT NOT NULL,
    principal TEXT NOT NULL,
    application TEXT NOT NULL,
    key TEXT,
    payload BLOB NOT NULL,
    deed BLOB NOT NULL,
    repeatable INTEGER NOT NULL,
    at INTEGER NOT NULL,
    -- From when its age counts: its admission, or the end of a crash that it was found after.
    since INTEGER NOT NULL,
    -- How it ended, as JSON; nothing while it is under way.
    result TEXT,
    -- It must not happen twice, and whether it happened is not known.
    unsure INTEGER NOT NULL,
    -- Which process admitted it; nothing for what was kept before there were holders.
    holder INTEGER
) STRICT;
CREATE UNIQUE INDEX action_by_key ON action (principal, application, key) WHERE key IS NOT NULL;
CREATE INDEX action_unsure ON action (principal, application, deed) WHERE unsure = 1;
CREATE INDEX action_open ON action (seq) WHERE result IS NULL;
CREATE INDEX action_ended_by_age ON action (since) WHERE result IS NOT NULL;
CREATE INDEX action_ended_by_worth ON action (unsure, seq) WHERE result IS NOT NULL;
CREATE INDEX action_by_holder ON action (holder, seq);

-- Decisions of the policy; one with a mode is an intent.
CREATE TABLE step (
    seq INTEGER PRIMARY KEY,
    action INTEGER NOT NULL REFERENCES action (seq) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    effect TEXT NOT NULL,
    risk TEXT NOT NULL,
    reason TEXT NOT NULL,
    mode TEXT,
    repeatable INTEGER,
    consented INTEGER,
    -- What led to it, as JSON.
    grounds TEXT
) STRICT;
CREATE INDEX step_by_action ON step (action);

CREATE TABLE trace (
    action INTEGER PRIMARY KEY REFERENCES action (seq) ON DELETE CASCADE,
    body TEXT NOT NULL
) STRICT;

-- Traces of requests that never became actions.
CREATE TABLE turned_away (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    handle TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    holder INTEGER
) STRICT;
CREATE INDEX turned_away_by_age ON turned_away (at);
CREATE INDEX turned_away_by_holder ON turned_away (holder, seq);
