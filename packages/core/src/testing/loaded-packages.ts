import type { ChildProcess } from 'node:child_process';

/** Flags of Node for a program whose packages are asked for. */
export const notingModules = ['--import', new URL('./note-modules.entry.ts', import.meta.url).href];

/** The packages that a program which runs with `notingModules` has loaded so far. */
export function loadedPackages(child: ChildProcess): Promise<string[]> {
  return new Promise((resolve) => {
    const take = (message: { type?: string; packages?: string[] }): void => {
      if (message.type !== 'packages') return;
      child.off('message', take);
      resolve(message.packages ?? []);
    };
    child.on('message', take);
    child.send('packages');
  });
}

/** What no process of the product needs to start; each is loaded with its first use. */
export const loadedOnFirstUse: readonly string[] = [
  ...['@aws-sdk/client-s3', '@aws-sdk/client-sesv2', 'stripe'],
  ...['@opentelemetry/sdk-trace', '@opentelemetry/resources', '@opentelemetry/exporter-trace-otlp-http'],
  ...['@simplewebauthn/server', 'qrcode', 'mailauth', 'prettier'],
  ...['graphql', 'graphql-yoga', '@pothos/core', '@graphql-yoga/render-graphiql'],
  ...['@temporalio/client', '@grpc/grpc-js', '@modelcontextprotocol/sdk', '@scalar/fastify-api-reference'],
];
