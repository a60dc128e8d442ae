-- The job `tell-of-unread` is called `queue-unread-mail` now. Without this, its schedule would go on adding jobs that no
-- process runs, and one that waits would count as waiting. The table exists once the job queue has been started.
DO $$
BEGIN
  IF to_regclass('pgboss.schedule') IS NOT NULL THEN
    DELETE FROM pgboss.schedule WHERE name = 'tell-of-unread';
    DELETE FROM pgboss.job WHERE name = 'tell-of-unread' AND state < 'active';
  END IF;
END $$;
