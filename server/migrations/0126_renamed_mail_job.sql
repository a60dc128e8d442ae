-- The job `tell-of-unread` is called `queue-unread-mail` now. Without this, its schedule would go on adding jobs that no
-- process runs. The table exists once the job queue has been started.
DO $$
BEGIN
  IF to_regclass('pgboss.schedule') IS NOT NULL THEN
    DELETE FROM pgboss.schedule WHERE name = 'tell-of-unread';
  END IF;
END $$;
