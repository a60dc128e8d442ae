-- These are empty at first and stay small.
CREATE INDEX conversations_marked_by_buyer ON conversations (buyer_id) WHERE buyer_marked_unread;
CREATE INDEX conversations_marked_by_seller ON conversations (seller_id) WHERE seller_marked_unread;
