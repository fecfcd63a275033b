import { burst } from './burst.ts';
import { crash, crashSmall } from './crash.ts';
import { hostileSink } from './hostile-sink.ts';
import { outage } from './outage.ts';
import type { Scenario } from './scenario.ts';
import { slowRelay } from './slow-relay.ts';

/** Every scenario, the short form for the tests included. */
export const scenarios: readonly Scenario[] = [crash, burst, hostileSink, outage, slowRelay, crashSmall];

/** What runs when none is named. */
export const byDefault: readonly Scenario[] = [crash, burst, hostileSink, outage, slowRelay];
