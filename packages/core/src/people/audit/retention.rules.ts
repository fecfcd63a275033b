/** The audit log is kept for 400 days (behaviour B11.1). */
export const auditKeptMs = 400 * 86_400_000;
