import { type Operation, operationRegistry, permissions } from '@postrider/core/base/kernel';
import type { Doors } from './doors.ts';

type Door = keyof Doors;

const titles: Record<Door, string> = {
  rest: 'REST',
  trpc: 'tRPC',
  graphql: 'GraphQL',
  sdk: 'SDK',
  mcp: 'MCP',
};

/** Why operations that a secret key may call by REST have no name at another door. */
const reasons: Record<string, Partial<Record<Door, string>>> = {
  'contacts.import': { mcp: 'a file' },
  'documents.delete': { trpc: 'for programs' },
  'documents.list': { trpc: 'for programs' },
  'documents.persist': { trpc: 'for programs' },
  'uploads.image': { mcp: 'a file' },
};

/** `docs/parity.md`: every operation that is not internal, with its name at each door or the reason why it has none. */
export function parityText(doors: Doors): string {
  const operations = [...operationRegistry.values()].filter(({ internal }) => !internal);
  const rows = operations
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((operation) => {
      const cells = (Object.keys(titles) as Door[]).map((door) => cellOf(operation, door, doors));
      return `| \`${operation.name}\` | ${cells.join(' | ')} |`;
    });
  const header = ['Operation', ...Object.values(titles)];
  return `${intro}\n| ${header.join(' | ')} |\n|${header.map(() => '---').join('|')}|\n${rows.join('\n')}\n`;
}

const intro = `# Parity of the doors

Every operation and what each door calls it; in italics, why it has no name there. \`npm run contracts\` writes this file, and
its check fails when the file is out of date or a reason is missing. Operations of the platform itself, which have no door, are not
listed. The methods of the SDK belong to \`new Postrider(…)\`; tools of the MCP server carry the names of their operations.
`;

function cellOf(operation: Operation, door: Door, doors: Doors): string {
  const names = doors[door].get(operation.name);
  if (names) return names.map((name) => `\`${name}\``).join('<br>');
  return `*${reasonOf(operation, door, doors) ?? 'no reason given'}*`;
}

/** Why a door lacks an operation. */
function reasonOf(operation: Operation, door: Door, doors: Doors): string | undefined {
  const { scope, secretKey, publicKey }: { scope: string; secretKey?: boolean; publicKey?: boolean } =
    permissions[operation.permission];
  const given = reasons[operation.name]?.[door];
  if (given) return given;
  if (publicKey) return 'for visitors, by public key';
  if (operation.name.startsWith('tracking.')) return 'a link in email';
  if (scope === 'public' && /^(forms|subscriptionRequests)\./.test(operation.name)) return 'a public page';
  if (!secretKey) return scope === 'public' ? 'before signing in' : 'for signed-in users';
  if (doors.rest.has(operation.name)) return undefined;
  if (!doors.graphql.has(operation.name)) return 'a page of the dashboard';
  return door === 'rest' ? 'no path of B4' : 'follows REST';
}
