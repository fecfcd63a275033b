/** What keeps clients of the submission port from occupying the process. Times are in milliseconds. */
export interface SubmissionLimits {
  /** open connections in all, and of one address */
  connections: number;
  ofAddress: number;
  /** from the connection to the login */
  loginMs: number;
  /** without a byte from the client (RFC 5321 4.5.3.2: at least 5 minutes) */
  silenceMs: number;
  /** from DATA to the end of the message */
  messageMs: number;
  /** bytes of messages that are received or stored at the same time */
  bytes: number;
  /** failed logins of one address in a minute */
  failedLogins: number;
}

export const submissionLimits = (messageBytes: number): SubmissionLimits => ({
  connections: 500,
  ofAddress: 100,
  loginMs: 30_000,
  silenceMs: 300_000,
  messageMs: 600_000,
  bytes: Math.max(64 * 1_048_576, 2 * messageBytes),
  failedLogins: 10,
});
