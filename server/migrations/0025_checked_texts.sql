-- Texts and names stored before today's rules are checked once, table by table, by the job of server/stored-texts: the
-- rules need Unicode properties that PostgreSQL's regular expressions lack.
CREATE TABLE private.checked_texts (
  table_name text PRIMARY KEY,
  -- The last checked row; null when the whole table has been checked.
  checked_to uuid
);
