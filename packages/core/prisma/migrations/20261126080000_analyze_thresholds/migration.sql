-- Statistics of tables that all projects share: an analysis after a share of a whole table would leave a new project unknown for days.
ALTER TABLE "Contact" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "Event" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "Email" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "WorkflowExecution" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
