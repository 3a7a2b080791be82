-- The way back to format 3, for a person who needs an earlier version of the program; see docs/decisions/0007.
BEGIN IMMEDIATE;
DROP INDEX action_by_holder;
ALTER TABLE action DROP COLUMN holder;
DROP INDEX turned_away_by_holder;
ALTER TABLE turned_away DROP COLUMN holder;
DROP TABLE holder;
PRAGMA user_version = 3;
COMMIT;
