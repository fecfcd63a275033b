import type { z } from 'zod';
import type { DnsRecord, SenderIdentity } from './sender-records.rules.ts';

/** Environment variables that providers read, but that belong to none of them. */
export interface SharedSettings {
  MAIL_HOST: string;
  BOUNCE_PORT?: number | undefined;
  SNS_TOPIC_ARNS?: string | undefined;
}

export type SettingsOf<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>;

/** When a variable must be set: `in production`, if its default only suits one machine. */
export type Requirement = 'always' | 'in production';

/** How the installation learns what became of an email after the provider has accepted it. */
export interface ProviderReports<Settings> {
  /** `messages` to the return path, on a port of the worker; `notifications` of the provider to the api */
  by: 'messages' | 'notifications';
  /** the variable that an operator sets to receive them */
  setting: string;
  areReceived(settings: Settings): boolean;
}

/** What one kind of mail server or service can do, for all sides. How it is spoken to is in `adapters`. */
export interface Provider<
  Name extends string,
  Settings,
  Stage extends string = string,
  Signs extends boolean = boolean,
> {
  /** its value of `MAIL_TRANSPORT` */
  readonly name: Name;
  /** its name in texts */
  readonly title: string;
  /** the variables without which no process starts */
  readonly required: Readonly<Partial<Record<string, Requirement>>>;
  /** Names the route, which every worker with these settings shares. */
  routeId(settings: Settings): string;
  /** The mail server that messages are handed to, as the operator named it; null for a service that is reached over HTTPS. */
  server(settings: Settings): URL | null;
  /**
   * Whether messages leave from addresses of the provider. Only its SPF mechanism can then be checked, and reverse DNS is its own affair.
   * Otherwise they leave from those of `MAIL_HOST`.
   */
  readonly hasOwnAddresses: boolean;
  /** Whether it signs messages, with keys of its own. Then domains are registered there; otherwise messages are signed here. */
  readonly signs: Signs;
  /** The records that the owner of a sender domain creates, without that of DMARC. */
  records(identity: SenderIdentity, settings: Settings): DnsRecord[];
  readonly reports: ProviderReports<Settings>;
  /** The steps of a hand-over that it answers, in their order. What an answer pauses is in `kernel/mail-replies.rules.ts`. */
  readonly stages: readonly Stage[];
  /** The region of AWS, for a provider that has one. */
  awsRegion?(settings: Settings): string;
}

export interface ProviderDefinition<
  Name extends string = string,
  Variables extends z.ZodRawShape = z.ZodRawShape,
  Stage extends string = string,
  Signs extends boolean = boolean,
> extends Provider<Name, SettingsOf<Variables> & SharedSettings, Stage, Signs> {
  /** its own variables of the environment (behaviour B10) */
  readonly variables: Variables;
}

/** Defines a provider. It is used once it is in `providers`, and has a transport in `adapters`. */
export const defineProvider = <
  const Name extends string,
  Variables extends z.ZodRawShape,
  const Stage extends string,
  const Signs extends boolean,
>(
  definition: ProviderDefinition<Name, Variables, Stage, Signs> & {
    required: { readonly [Each in NoInfer<keyof Variables & string>]?: Requirement };
  },
): ProviderDefinition<Name, Variables, Stage, Signs> => definition;
