/**
 * Sentences of the built-in models in English and Chinese. Functions insert their arguments as the
 * variable parts.
 */

export type Language = 'english' | 'chinese';

const english = {
  // A generic answer combines an opening, a note and a closing, which gives 4 x 4 x 8 = 128
  // different answers.
  openings: [
    (asked: string) => `You wrote: “${asked}”.`,
    (asked: string) => `Thanks for your message: “${asked}”.`,
    (asked: string) => `Your request was “${asked}”.`,
    (asked: string) => `I received “${asked}”.`,
  ],
  notes: [
    (model: string) =>
      `I am the built-in demo model for ${model}. I need no network and know no facts.`,
    (model: string) => `This is the demo version of ${model}. It answers without any provider.`,
    (model: string) => `${model} is a built-in demo here, so I cannot look anything up.`,
    (model: string) =>
      `As a demo of ${model}, I show how answers arrive, not what a real model knows.`,
  ],
  closings: [
    'Connect a provider, and a real model answers here.',
    'Ask me to call a tool, to fill in a JSON schema or to repeat a sentence.',
    'Attach an image or a file, and I will describe what arrived.',
    'Turn on thinking to see how reasoning is streamed.',
    'Every token of this answer is metered like a real one.',
    'The request log shows what this answer cost.',
    'The same request always gets the same answer from me.',
    'The example prompts of the playground have longer answers.',
  ],
  nothingAsked: 'an empty message',
  system: (instructions: string) => `My instructions are: “${instructions}”.`,
  turns: (count: number) => `This is your message number ${count} in our conversation.`,
  media: (list: string) => `You sent ${list}.`,
  tools: (list: string) => `I can call ${list}: name one in your request.`,
  result: (tool: string, text: string) => `${tool} answered: ${text}`,
  failure: (tool: string, text: string) => `${tool} reported an error: ${text}`,
  calling: (tools: string) => `I will call ${tools} for that.`,
  thoughts: [
    (asked: string) => `The request says “${asked}”. First I settle what it asks for.`,
    () => 'Next I look at what came with it: earlier messages, files and instructions.',
    () => 'I separate what I can see from what I would have to guess.',
    () => 'A tool may fit better than words, so I check which ones I have.',
    () => 'Now I draft an answer and read it as the person who asked.',
    () => 'The draft should be short and still leave nothing out.',
    () => 'I check names and numbers, since those are where slips happen.',
    () => 'Language, length and tone match the request, so I can write the answer.',
  ],
  units: { bytes: 'bytes', elsewhere: 'not fetched', unknown: 'of unknown type' },
  nouns: { image: 'an image', file: 'a file', audio: 'a sound' },
  space: ' ',
  comma: ', ',
};

export type Phrases = typeof english;

const chinese: Phrases = {
  openings: [
    (asked) => `您写道：“${asked}”。`,
    (asked) => `谢谢您的消息：“${asked}”。`,
    (asked) => `您的请求是：“${asked}”。`,
    (asked) => `已收到：“${asked}”。`,
  ],
  notes: [
    (model) => `我是 ${model} 的内置演示模型，不需要网络，也没有知识库。`,
    (model) => `这是 ${model} 的演示版本，无需任何供应商即可作答。`,
    (model) => `这里的 ${model} 是内置演示模型，无法查询资料。`,
    (model) => `作为 ${model} 的演示，我只展示回答如何返回，不代表真实模型的能力。`,
  ],
  closings: [
    '接入供应商之后，这里就由真实模型回答。',
    '您可以让我调用工具、按 JSON Schema 填写内容，或者原样复述一句话。',
    '添加图片或文件，我会说明收到了什么。',
    '打开思考功能，可以看到推理过程如何流式返回。',
    '这条回答的每个 token 都照常计量。',
    '请求日志里可以看到这条回答的费用。',
    '同样的请求，我总会给出同样的回答。',
    '在线体验里的示例提示词有更完整的回答。',
  ],
  nothingAsked: '一条空消息',
  system: (instructions) => `我收到的指示是：“${instructions}”。`,
  turns: (count) => `这是我们对话中您的第 ${count} 条消息。`,
  media: (list) => `您发来了${list}。`,
  tools: (list) => `我可以调用 ${list}，在请求中提到名称即可。`,
  result: (tool, text) => `${tool} 返回了：${text}`,
  failure: (tool, text) => `${tool} 报告了错误：${text}`,
  calling: (tools) => `我来调用 ${tools}。`,
  thoughts: [
    (asked) => `请求内容是“${asked}”，先弄清它要什么。`,
    () => '再看看随请求而来的内容：之前的消息、文件和指示。',
    () => '把确实看到的和只能猜测的分开。',
    () => '也许工具比文字更合适，先看看有哪些可用。',
    () => '现在拟一个草稿，并站在提问者的角度读一遍。',
    () => '草稿要简短，又不遗漏内容。',
    () => '检查名称和数字，这些地方最容易出错。',
    () => '语言、长度和语气都与请求相符，可以作答了。',
  ],
  units: { bytes: '字节', elsewhere: '未下载', unknown: '类型未知' },
  nouns: { image: '一张图片', file: '一个文件', audio: '一段声音' },
  space: '',
  comma: '，',
};

export const PHRASES: Readonly<Record<Language, Phrases>> = { english, chinese };
