-- Listings whose draw nobody entered are first come, first served. When their owners choose a draw again, it is a new one.
UPDATE listings SET drawn_at = NULL, draw_closes_at = NULL WHERE gift_mode = 'first_come' AND drawn_at IS NOT NULL;
