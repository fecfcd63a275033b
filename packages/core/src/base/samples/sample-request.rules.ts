/** How a request names its caller. */
export type Credential = 'secret' | 'public' | 'session' | 'none';

/** A request from which the samples of all languages are made. */
export interface SampleRequest {
  method: string;
  /** the address of the API, without a path of its own */
  baseUrl: string;
  /** path and query with their values */
  target: string;
  credential: Credential;
  /** the key itself, for whom it belongs to; without it, a program reads its key from the environment */
  key?: string | undefined;
  json: unknown;
  /** fields of a form; a file has its name */
  form: readonly FormField[] | null;
}

export interface FormField {
  name: string;
  value: string;
  file: boolean;
}

/** The variable of the environment that has a program's key. */
export const keyVariable = (credential: Credential): string =>
  credential === 'public' ? 'POSTRIDER_PUBLIC_KEY' : 'POSTRIDER_API_KEY';
