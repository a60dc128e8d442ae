ALTER TABLE users ADD COLUMN away_until date;
