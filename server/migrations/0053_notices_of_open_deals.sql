-- In a file of its own, because deals can be read and written while this statement runs. Deals that are over get no notices.
UPDATE deals SET next_notice_at = now()
WHERE next_notice_at IS NULL AND state IN ('offered', 'held', 'handed_over', 'out', 'back');
