-- Whether the public profile shows the bio. A bio that was written when only its author saw it stays hidden until its author
-- saves it again.
ALTER TABLE users ADD COLUMN is_bio_public boolean NOT NULL DEFAULT false;
