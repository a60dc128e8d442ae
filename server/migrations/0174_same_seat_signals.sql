ALTER TABLE private.moderation_signals
  DROP CONSTRAINT moderation_signals_kind_check,
  ADD CONSTRAINT moderation_signals_kind_check
    CHECK (kind IN ('similar_messages', 'many_reports', 'no_shows', 'prohibited_wording', 'same_seat'));
