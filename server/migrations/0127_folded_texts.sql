-- The texts of listings as searches compare them (docs/decisions/0082).

-- Returns a text in the form in which searches compare it: lower-cased, without accents, with plain quotes, hyphens and
-- width. Each character is folded by itself, so a text that contains another still contains it when both are folded.
-- The same as `foldText` in contract/search-text.ts.
CREATE FUNCTION private.fold(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length($1) = length($1) THEN lower($1) ELSE
    replace(replace(replace(replace(
      translate(
        lower(regexp_replace(
          normalize(translate($1, '´″־', '''"-'), NFKD),
          '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe00-\ufe2f]',
          '', 'g')),
        '‘’‚‛ʼ′“”„‟«»‐–—―−⁄øđðłıħŧς', '''''''''''''""""""-----/oddlihtσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END;

-- Returns a regular expression for the texts, with a space before and after them, that contain a folded text with one joint
-- (a space, hyphen or apostrophe between letters or digits) added, exchanged or left out; null for a text of fewer than
-- three letters or more than 30 characters. No space separates two single letters. Where a space was added or a joint left
-- out, only whole words match. `listJointVariants` in contract/search-text.ts has the same rules. Anchors instead of the
-- spaces would take ten times as long to compile.
CREATE FUNCTION private.joint_pattern(text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT string_agg(before || joint || after, '|') FILTER (WHERE joint IN ('-', ''''))
      || coalesce('|[ \n("/](?:' || string_agg(before || joint || after, '|') FILTER (WHERE joint IN (' ', ''))
        || ')[ \n,.;:!?)"/]', '')
    FROM (
      SELECT regexp_replace(left($1, place), '([^[:alnum:]])', '\\\1', 'g') AS before,
        regexp_replace(substr($1, place + 1 + length(present)), '([^[:alnum:]])', '\\\1', 'g') AS after,
        present
      FROM generate_series(1, length($1) - 1) AS place,
        LATERAL (SELECT coalesce(substring(substr($1, place + 1, 1) FROM '[ ''-]'), '') AS present) AS found
    ) AS split, unnest(ARRAY[' ', '-', '''', '']) AS joint
    WHERE joint <> present AND NOT (joint = ' ' AND before ~ '(^|[ \n]).$' AND after ~ '^.(\\?[ \n]|$)')
      AND before ~ '[[:alnum:]]$' AND after ~ '^[[:alnum:]]'
      AND length($1) <= 30 AND length(regexp_replace($1, '[^[:alnum:]]', '', 'g')) >= 3);

-- Returns whether a folded text contains another one with one joint added, exchanged or left out.
CREATE FUNCTION private.has_joint_variant(text, searched text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce((' ' || $1 || ' ') ~ private.joint_pattern($2), false);

-- The folded text of a listing, if it differs from `search_text`.
ALTER TABLE listings ADD COLUMN folded_text text;

-- A trigger sets the column, because a generated column would be computed for all listings while the table is locked. A
-- job sets it for existing listings.
CREATE FUNCTION private.fold_listing() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- Like the generated column `search_text`, which a trigger before the change cannot read yet.
  search_text text := lower(concat(NEW.title, E'\n', NEW.description, E'\n', NEW.location, E'\n', NEW.category, E'\n',
    CASE NEW.category WHEN 'game-day' THEN 'Game Day' WHEN 'merchandise' THEN 'Merch' WHEN 'study-items' THEN 'Study Items' END));
BEGIN
  NEW.folded_text := nullif(private.fold(search_text), search_text);
  RETURN NEW;
END $$;

CREATE TRIGGER fold_listing BEFORE INSERT OR UPDATE OF title, description, location, category ON listings
  FOR EACH ROW EXECUTE FUNCTION private.fold_listing();
-- The trigger also runs when rows are loaded without triggers, because no later step sets the column.
ALTER TABLE listings ENABLE ALWAYS TRIGGER fold_listing;
