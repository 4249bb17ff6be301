-- Bonuses: what is credited on top of a card payment, fixed when it is ordered. Both engines run this.
ALTER TABLE top_up_order ADD COLUMN bonus INTEGER NOT NULL DEFAULT 0 CHECK (bonus >= 0);
