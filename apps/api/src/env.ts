import { type CoreConfig, readConfig } from '@postrider/core/base/kernel';

/** The environment of this process, checked as a whole. @throws ConfigError naming every invalid variable */
export const readEnv = (): CoreConfig => readConfig(process.env);
