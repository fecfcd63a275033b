/** The versions of the generators of clients that the document is tested with. Those of npm that are not here are in the lock file. */
export const versions = {
  'openapi-generator': '7.25.0',
  'oapi-codegen': '2.8.2',
  orval: '8.38.0',
  'openapi-python-client': '0.29.1',
} as const;
