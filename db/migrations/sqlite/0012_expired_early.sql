CREATE INDEX `payments_expired` ON `payments` (`updated_at`) WHERE status = 'expired';
