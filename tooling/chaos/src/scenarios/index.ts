import { burst } from './burst.ts';
import { crash, crashSmall } from './crash.ts';
import { hostileSink } from './hostile-sink.ts';
import { outage } from './outage.ts';
import type { Scenario } from './scenario.ts';

/** Every scenario; those not marked otherwise run when none is named. */
export const scenarios: readonly Scenario[] = [crash, burst, hostileSink, outage, crashSmall];

export const byDefault: readonly Scenario[] = [crash, burst, hostileSink, outage];
