CREATE INDEX CONCURRENTLY "payments_expired" ON "payments" USING btree ("updated_at") WHERE status = 'expired';
