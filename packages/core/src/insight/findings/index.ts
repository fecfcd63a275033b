export { allChecks } from './all-checks.ts';
export { concealer } from './conceal.ts';
export { type Examined, freeShareOf, type Limits, usualLimits } from './examined.ts';
export { ExaminedDatabase } from './examined-database.ts';
export { type Finding, type FindingGroup, findingGroups, type Verdict } from './finding.ts';
export { runChecks } from './run-checks.ts';
export { readSweepBacklog } from './sweep-backlog.ts';
export { readUsable } from './usable-configuration.ts';
