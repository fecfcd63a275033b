/** Sender domains at a provider that signs their messages. Transports that sign here need none. */
export interface SenderIdentities {
  /**
   * Makes the domain known to the provider, which may be the case already.
   * @param mailFrom the host of its envelope senders
   * @returns the tokens of the DNS records that let the provider sign (Easy DKIM)
   */
  register(domain: string, mailFrom: string): Promise<string[]>;
  /** Whether the provider sends messages of the domain; null without an answer. */
  isReady(domain: string): Promise<boolean | null>;
}
