-- See 0070. The matches of a deleted search go with it; those that a job stores at the same moment go with the daily job.
ALTER TABLE saved_search_matches DROP CONSTRAINT saved_search_matches_search_id_fkey;

CREATE FUNCTION remove_matches_of_deleted_searches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM saved_search_matches m USING deleted d WHERE m.search_id = d.id;
  RETURN NULL;
END $$;
CREATE TRIGGER saved_searches_remove_matches AFTER DELETE ON saved_searches REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION remove_matches_of_deleted_searches();
