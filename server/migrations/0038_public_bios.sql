-- Whether the public profile shows the bio. A bio that was written while only its author could see
-- it stays hidden until the author saves it again.
ALTER TABLE users ADD COLUMN is_bio_public boolean NOT NULL DEFAULT false;
