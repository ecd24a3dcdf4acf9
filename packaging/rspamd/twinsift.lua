--[[
Asks a twinsift service which known message each mail is a near duplicate of, and names the
campaign of that message in the symbol TWINSIFT_CAMPAIGN. A message that is scanned with the
request header Twinsift-Learn is added to the known ones instead.

Settings: modules.d/twinsift.conf, which local.d/twinsift.conf overrides. A service that is
slow, gone or mistaken costs no mail: there is no symbol then, and a line in the log.
]]

if confighelp then
  rspamd_config:add_example(nil, 'twinsift',
      'Finds near duplicates of known messages with a twinsift service', [[
twinsift {
  url = "http://127.0.0.1:8017";
  collection = "campaigns";
}
]])
  return
end

local lua_util = require "lua_util"
local lua_maps = require "lua_maps"
local rspamd_http = require "rspamd_http"
local rspamd_logger = require "rspamd_logger"
local rspamd_util = require "rspamd_util"
local ucl = require "ucl"

local N = 'twinsift'

local settings = {
  url = 'http://127.0.0.1:8017',
  collection = nil,
  key = nil,
  timeout = 1.0,
  max_size = 1024 * 1024,
  max_failures = 3,
  pause = 30.0,
  score = 6.0,
  no_ssl_verify = false,
  learn_header = 'Twinsift-Learn',
  learn_ips = { '127.0.0.1', '::1' },
  learn_key = nil,
  learn_timeout = 5.0,
  learn_ttl = nil,
}

-- Queries that failed in a row, and until when there is no further one. Each worker process
-- counts for itself.
local failures, paused_until = 0, 0.0

-- Statuses that are about one document: the service is well, and others are asked about.
local REFUSED = { [400] = true, [413] = true, [422] = true }

-- The parts of type multipart/alternative that a text part lies in.
local function alternatives(part)
  local found = {}
  local outer = part:get_mimepart():get_parent()
  while outer do
    local kind, subtype = outer:get_type()
    if kind == 'multipart' and subtype == 'alternative' then
      found[#found + 1] = outer:get_id()
    end
    outer = outer:get_parent()
  end
  return found
end

-- What a text part shows to its reader, tags and hidden text of HTML left out.
local function shown(part)
  local content = part:get_content()
  return content and tostring(content) or ''
end

-- The body of a message as a reader sees it: its plain text, and HTML that has no plain
-- alternative. Attachments are left out.
local function body_of(task)
  local inline, has_plain = {}, {}
  for _, part in ipairs(task:get_text_parts() or {}) do
    if not part:get_mimepart():is_attachment() then
      local text = shown(part)
      if text:find('%S') then
        inline[#inline + 1] = { part = part, text = text }
        if not part:is_html() then
          for _, id in ipairs(alternatives(part)) do
            has_plain[id] = true
          end
        end
      end
    end
  end
  local texts = {}
  for _, one in ipairs(inline) do
    local is_repeated = false
    if one.part:is_html() then
      for _, id in ipairs(alternatives(one.part)) do
        is_repeated = is_repeated or has_plain[id]
      end
    end
    if not is_repeated then
      texts[#texts + 1] = one.text
    end
  end
  return table.concat(texts, '\n\n')
end

-- JSON is UTF-8: in a text of an unknown charset, what is not ASCII cannot be told.
local function in_utf8(text)
  if rspamd_util.is_valid_utf8(text) then
    return text
  end
  return (text:gsub('[\128-\255]+', '\239\191\189'))
end

-- The name of a message: its Message-ID, or a hash of its content where it has none.
local function id_of(task)
  local id = task:get_message_id()
  if not id or id == 'undef' or not id:find('%S') then
    return 'digest:' .. task:get_digest()
  end
  return in_utf8(id)
end

-- The message as the service takes it; nil if it has nothing to compare, or too much.
local function document_of(task)
  local subject, body = task:get_subject() or '', body_of(task)
  if not subject:find('%S') and not body:find('%S') then
    return nil, 'it has no text'
  end
  if #subject + #body > settings.max_size then
    return nil, string.format('its text has more than %d bytes', settings.max_size)
  end
  return { id = id_of(task), subject = in_utf8(subject), text = in_utf8(body) }
end

-- Sends a document. The callback gets what the service answered, which has the field that is
-- expected, or nil, what went wrong and the status, if there is one.
local function request(task, what, document, expected, key, timeout, callback)
  local headers = {}
  if key then
    headers['Authorization'] = 'Bearer ' .. key
  end

  local function on_answer(err, code, body)
    if err then
      return callback(nil, tostring(err))
    end
    local parser = ucl.parser()
    local is_json, why = parser:parse_string(body and tostring(body) or '')
    local answer = is_json and parser:get_object() or nil
    if type(answer) ~= 'table' then
      return callback(nil, string.format('status %s, and no JSON: %s', code, tostring(why)), code)
    end
    if code ~= 200 then
      return callback(nil, string.format('status %s: %s', code, tostring(answer.error)), code)
    end
    if not answer[expected] then
      return callback(nil, string.format('an answer without "%s"', expected), code)
    end
    return callback(answer)
  end

  local is_sent = rspamd_http.request({
    task = task,
    url = string.format('%s/collections/%s/%s', settings.url, settings.collection, what),
    method = 'POST',
    headers = headers,
    mime_type = 'application/json',
    body = ucl.to_format(document, 'json-compact'),
    timeout = timeout,
    keepalive = true,
    no_ssl_verify = settings.no_ssl_verify,
    callback = on_answer,
  })
  if not is_sent then
    callback(nil, 'the request could not be made')
  end
end

-- A value of an answer as text; null of JSON is none.
local function text_or(value, otherwise)
  local kind = type(value)
  if kind == 'string' or kind == 'number' then
    return tostring(value)
  end
  return otherwise
end

-- The label under which a message is to be learnt; nil if it is not. Besides, whether the
-- program that asks for it may do so.
local function label_to_learn(task)
  local label = task:get_request_header(settings.learn_header)
  if not label then
    return nil, false
  end
  local from = task:get_client_ip()
  local may_learn = from and from:is_valid() and settings.learn_ips:get_key(from)
  return tostring(label), may_learn
end

local function learn(task)
  local label, may_learn = label_to_learn(task)
  if not label then
    return
  end
  if not may_learn then
    rspamd_logger.warnx(task, 'twinsift: not learnt: %s, which asks for it, is not in learn_ips',
        task:get_client_ip() or 'an unknown address')
    return
  end

  local function failed(why)
    rspamd_logger.errx(task, 'twinsift: not learnt: %s', why)
    task:insert_result('TWINSIFT_LEARN_FAILED', 1.0, why)
  end

  if not label:find('%S') then
    return failed('the label is empty')
  end
  local document, why = document_of(task)
  if not document then
    return failed(why)
  end
  document.label = in_utf8(label)
  document.ttl = settings.learn_ttl
  request(task, 'documents', document, 'added', settings.learn_key or settings.key,
      settings.learn_timeout, function(answer, problem)
        if not answer then
          return failed(problem)
        end
        rspamd_logger.infox(task, 'twinsift: learnt %s as %s', document.id, label)
        task:insert_result('TWINSIFT_LEARNED', 1.0, { label, document.id })
      end)
end

local function check(task)
  -- What is learnt is not asked about as well: it would be found to be itself.
  local _, may_learn = label_to_learn(task)
  if may_learn then
    return
  end
  if rspamd_util.get_time() < paused_until then
    return
  end
  local document, why = document_of(task)
  if not document then
    rspamd_logger.debugm(N, task, 'not asked about: %s', why)
    return
  end
  request(task, 'query?top=1', document, 'verdict', settings.key, settings.timeout,
      function(answer, problem, status)
        if not answer then
          rspamd_logger.warnx(task, 'twinsift: no answer: %s', problem)
          if REFUSED[status] then
            return
          end
          failures = failures + 1
          if failures >= settings.max_failures then
            -- The count stays: after the pause, one more failure is enough for the next.
            paused_until = rspamd_util.get_time() + settings.pause
            rspamd_logger.errx(task, 'twinsift: no answer %s times in a row: not asked for %s s',
                failures, settings.pause)
          end
          return
        end
        failures = 0
        if answer.verdict == 'duplicate' then
          local score = tonumber(answer.score) or 0
          task:insert_result('TWINSIFT_CAMPAIGN', 1.0, {
            text_or(answer.label, 'unlabelled'),
            text_or(answer.duplicate_of, ''),
            string.format('%.2f', score),
          })
        end
      end)
end

-- Says what is wrong with the settings; nil if nothing is.
local function mistake()
  if type(settings.url) ~= 'string' or not settings.url:find('^https?://[^/]') then
    return 'url must begin with http:// or https:// and name a host'
  end
  local collection = settings.collection
  if type(collection) ~= 'string' or not collection:find('^[a-z0-9][a-z0-9._-]*$') then
    return 'collection must name a collection of the service'
  end
  for _, name in ipairs({ 'timeout', 'learn_timeout', 'pause', 'max_failures', 'max_size' }) do
    if type(settings[name]) ~= 'number' or settings[name] <= 0 then
      return name .. ' must be a number above 0'
    end
  end
  return nil
end

local opts = rspamd_config:get_all_opt(N)
if not opts then
  lua_util.disable_module(N, 'config')
  return
end
settings = lua_util.override_defaults(settings, opts)
-- A list replaces that of the defaults: the two are not merged.
settings.learn_ips = opts.learn_ips or settings.learn_ips

if not settings.collection then
  rspamd_logger.infox(rspamd_config, 'twinsift: no collection is set: disabled')
  lua_util.disable_module(N, 'config')
  return
end
local wrong = mistake()
if wrong then
  rspamd_logger.errx(rspamd_config, 'twinsift: %s: disabled', wrong)
  lua_util.disable_module(N, 'fail')
  return
end
settings.url = settings.url:gsub('/+$', '')

settings.learn_ips = lua_maps.map_add_from_ucl(settings.learn_ips, 'radix',
    'hosts that may have messages learnt')
if not settings.learn_ips then
  rspamd_logger.errx(rspamd_config, 'twinsift: learn_ips cannot be read: disabled')
  lua_util.disable_module(N, 'fail')
  return
end

local check_id = rspamd_config:register_symbol({
  name = 'TWINSIFT_CHECK',
  type = 'callback',
  callback = check,
  -- The scan is not over before the answer is, whatever the time of a scan is set to.
  augmentations = { string.format('timeout=%f', settings.timeout) },
})
rspamd_config:register_symbol({
  name = 'TWINSIFT_CAMPAIGN',
  type = 'virtual',
  parent = check_id,
  score = settings.score,
  group = N,
  description = 'Near duplicate of a message of a known campaign',
})
local learn_id = rspamd_config:register_symbol({
  name = 'TWINSIFT_LEARN',
  -- Before all other rules: those that make up their mind early would end the scan.
  type = 'prefilter',
  priority = 10,
  callback = learn,
  flags = 'empty,ignore_passthrough',
  augmentations = { string.format('timeout=%f', settings.learn_timeout) },
})
rspamd_config:register_symbol({
  name = 'TWINSIFT_LEARNED',
  type = 'virtual',
  parent = learn_id,
  score = 0.0,
  group = N,
  description = 'The message is known to twinsift from now on',
})
rspamd_config:register_symbol({
  name = 'TWINSIFT_LEARN_FAILED',
  type = 'virtual',
  parent = learn_id,
  score = 0.0,
  group = N,
  description = 'The message could not be made known to twinsift',
})
