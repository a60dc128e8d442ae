-- The progress of the job that checks texts and names stored before the current rules existed, once
-- per table (server/stored-texts). A migration cannot do this, because the rules need Unicode
-- properties that PostgreSQL's regular expressions lack.
CREATE TABLE private.checked_texts (
  table_name text PRIMARY KEY,
  -- The last checked row; null when the whole table has been checked.
  checked_to uuid
);
