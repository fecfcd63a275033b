/** One request to a URL given by a customer. */
export interface OutgoingRequest {
  method: string;
  url: string;
  /** null: no body is sent */
  body: string | null;
  /** Headers of one hop, computed per hop: a redirect may change method and body, and thus the signature. */
  headersFor(method: string, body: string): Record<string, string>;
  /** time limit in milliseconds, including redirects and the response body */
  timeoutMs: number;
  /** maximum number of characters of the response body to return */
  maxResponseLength: number;
  /** redirects that are followed; a further one is itself the answer. Default 5 */
  maxRedirects?: number;
  /** uses an open connection to the same host if there is one, and leaves it open for the next request. Default false */
  keepAlive?: boolean;
}

/**
 * Outcome of a request. `refused`: the URL is invalid or leads to a forbidden address; `failed`: no response was
 * received. `reason` is shown to the customer.
 */
export type OutgoingAnswer =
  | { kind: 'answer'; status: number; body: string; isCut: boolean }
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string };

/** Requests to URLs given by customers (behaviour B6.5). Network and address failures are results, not exceptions. */
export interface OutgoingHttp {
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /**
   * Whether a request to this http or https URL may be permitted. False when its host is an address that is not public, or a name
   * that always means this machine or a private network; other names are resolved when a request is sent.
   */
  mayReach(url: string): boolean;
}
