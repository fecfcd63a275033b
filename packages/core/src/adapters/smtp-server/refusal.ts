/** A reply that refuses a connection, a command or a message. */
export class SmtpRefusal extends Error {
  readonly responseCode: number;

  /** @param text begins with the enhanced code (RFC 3463) */
  constructor(responseCode: number, text: string) {
    super(text);
    this.responseCode = responseCode;
  }
}
