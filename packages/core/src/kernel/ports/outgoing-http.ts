/** One request to an address that a customer named. */
export interface OutgoingRequest {
  method: string;
  url: string;
  /** null: no body is sent */
  body: string | null;
  /** Headers of one hop, made anew for each: a redirect may change method and body, and with them a signature. */
  headersFor(method: string, body: string): Record<string, string>;
  /** milliseconds for everything, redirects and the answer's body included */
  timeoutMs: number;
  /** at most so many characters of the answer's body are returned */
  maxResponseLength: number;
}

/**
 * What became of a request. `refused`: it would have gone where requests must not go, or its address is no address;
 * `failed`: no answer came. `reason` is for the customer.
 */
export type OutgoingAnswer =
  | { kind: 'answer'; status: number; body: string; isCut: boolean }
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string };

/** Requests to addresses that customers name (behaviour B6.5). Never throws for what the network or the address does. */
export interface OutgoingHttp {
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
}
