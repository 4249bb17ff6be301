/** The tables of LiteLLM from which accounts, people and keys are read. */
import type { JsonObject } from '../../json/object.ts';

export type LiteLlmTables = {
  readonly tokens: readonly JsonObject[];
  readonly users: readonly JsonObject[];
  readonly teams: readonly JsonObject[];
  readonly budgets: readonly JsonObject[];
  readonly organizations: readonly JsonObject[];
  readonly projects: readonly JsonObject[];
  readonly memberships: readonly JsonObject[];
};
