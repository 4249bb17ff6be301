/** The names of the fees that are charged per use, in each language. */
export const FEE_NAMES = {
  en: {
    fee_request: 'Request',
    fee_web_search: 'Web search',
    fee_web_fetch: 'Web fetch',
    fee_file_search: 'File search',
    fee_code_execution: 'Code execution',
    fee_x_search: 'X search',
    fee_maps: 'Maps',
  },
  zh: {
    fee_request: '请求',
    fee_web_search: '网页搜索',
    fee_web_fetch: '网页抓取',
    fee_file_search: '文件搜索',
    fee_code_execution: '代码执行',
    fee_x_search: 'X 搜索',
    fee_maps: '地图',
  },
} as const;
