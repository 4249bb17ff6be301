/** Models whose channels support every playground parameter, for tests. */
import { channel as plainChannel, chatModel as plainModel } from '#catalogue/model.fixture.ts';
import type { Channel, ChannelName, Model } from '#catalogue/models.ts';
import { PARAMETER_NAMES } from './chat/settings/parameters.ts';

export const channel = (name: ChannelName, more: Partial<Channel> = {}): Channel =>
  plainChannel(name, { supported_parameters: [...PARAMETER_NAMES, 'tools'], ...more });

export const chatModel = (id: string, more: Partial<Model> = {}): Model =>
  plainModel(id, { channels: [channel('direct'), channel('stable')], ...more });
