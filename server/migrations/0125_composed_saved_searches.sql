-- Saved searches in the composed form (NFC) in which all texts are stored from now on. Any three characters of the text are
-- a valid key. The values of `query` are composed one by one: composing its JSON text could change an escape in it.
UPDATE saved_searches SET
  query = query
    || CASE WHEN query ? 'q' THEN jsonb_build_object('q', normalize(query ->> 'q', NFC)) ELSE '{}' END
    || CASE WHEN query ? 'location' THEN jsonb_build_object('location', normalize(query ->> 'location', NFC)) ELSE '{}' END,
  lowered_text = normalize(lowered_text, NFC),
  text_key = left(normalize(lowered_text, NFC), 3),
  location_pattern = normalize(location_pattern, NFC)
WHERE query ->> 'q' IS NOT NFC NORMALIZED OR query ->> 'location' IS NOT NFC NORMALIZED;
