-- Saved searches in the composed form (NFC) in which all texts are stored from now on. Any three characters of the text are
-- a valid key.
UPDATE saved_searches SET
  query = normalize(query::text, NFC)::jsonb,
  lowered_text = lower(normalize(query ->> 'q', NFC)),
  text_key = left(lower(normalize(query ->> 'q', NFC)), 3),
  location_pattern = normalize(location_pattern, NFC)
WHERE query::text IS NOT NFC NORMALIZED;
