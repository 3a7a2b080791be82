-- What led to a decision, as JSON; nothing for decisions that were kept before.
ALTER TABLE step ADD COLUMN grounds TEXT;
