/** The versions of the programs that clients are generated and tested with. Those of npm that are not here are in the lock file. */
export const versions = {
  'openapi-generator': '7.25.0',
  'oapi-codegen': '2.8.2',
  orval: '8.38.0',
  'openapi-python-client': '0.29.1',
  httpx: '0.28.1',
  hatchling: '1.27.0',
  mypy: '1.19.0',
} as const;
