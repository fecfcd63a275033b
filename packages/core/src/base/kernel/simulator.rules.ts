/**
 * The domain of the simulator addresses (behaviour B15.9). `.test` is reserved (RFC 2606, 2), so it is nobody's, and no email to it ever
 * leaves.
 */
export const simulatorDomain = 'postrider.test';

/** What happens to email of each name; to any other name, what happens to `delivered`. */
export const simulatorNames = [
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'softbounced',
  'rejected',
  'blocked',
  'delayed',
  'complained',
  'unsubscribed',
  'autoreplied',
  'suppressed',
  'uncertain',
] as const;

export type SimulatorName = (typeof simulatorNames)[number];

/** Names the simulator in place of a mail server. */
export const simulatorRouteId = 'simulator';

/** The addresses as patterns of LIKE and as texts of SQL: all, and those whose email is skipped as that to a suppressed address. */
export const simulatorPattern = `%@${simulatorDomain}`;
export const simulatorSql = {
  any: `'${simulatorPattern}'`,
  suppressed: `'suppressed@${simulatorDomain}'`,
  suppressedWithLabel: `'suppressed+%@${simulatorDomain}'`,
};

/** Whether an address in its normal form is one of the simulator. */
export const isSimulated = (address: string): boolean => address.endsWith(`@${simulatorDomain}`);

/** The name in an address of the simulator, whose label after `+` says nothing. Any other address is one of `delivered`. */
export function simulatorNameOf(address: string): SimulatorName {
  if (!isSimulated(address)) return 'delivered';
  const local = address.slice(0, -simulatorDomain.length - 1);
  const [name] = local.split('+', 1);
  return simulatorNames.find((known) => known === name) ?? 'delivered';
}
