-- The trace of the request that a batch is of, for the process that sends it. Null unless the trace is sampled.
ALTER TABLE "DeliveryBatch" ADD COLUMN "trace" BYTEA;
