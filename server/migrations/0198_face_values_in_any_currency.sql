-- Like prices since migration 0161: currencies without decimals need higher values than dollars, and others have three
-- decimals. Without a precision the table is not rewritten.
ALTER TABLE listings ALTER COLUMN face_value TYPE numeric;
