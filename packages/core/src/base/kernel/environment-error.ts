/** Errors of the operating system, and of the runtime that loads modules and starts threads. */
const ofEnvironment =
  /^(E(?!RR_)[A-Z0-9]+|ERR_(MODULE|PACKAGE|UNKNOWN|UNSUPPORTED|LOAD|DLOPEN|WORKER|VM)_[A-Z_]+)$/;

/**
 * The code of an error that lies in the machine or the installed files, such as EMFILE or ERR_MODULE_NOT_FOUND, and says nothing about
 * what was being worked on; null for any other.
 */
export function environmentCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && ofEnvironment.test(code) ? code : null;
}
