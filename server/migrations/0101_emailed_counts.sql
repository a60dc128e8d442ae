-- How many of the events that share a notification were in earlier emails, so that the next email counts only the others.
ALTER TABLE notifications ADD COLUMN emailed_count int NOT NULL DEFAULT 0;
