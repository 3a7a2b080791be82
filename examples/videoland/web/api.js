// Every call to the server. The screens and the registered actions use the same functions.

export class ApiError extends Error {
  constructor(status, { code = "unknown", message = `status ${status}`, fields = {} } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

async function call(method, path, { body, key, signal } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const response = await fetch(`/api${path}`, {
    method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new ApiError(response.status, answer.error);
  return answer;
}

const query = (values) => `?${new URLSearchParams(values)}`;

/** A key for one intended change: sending it twice applies it once. */
export const freshKey = () => crypto.randomUUID();

export const session = () => call("GET", "/session");
export const login = (user, password) => call("POST", "/login", { body: { user, password } });
export const logout = () => call("POST", "/logout");
export const config = () => call("GET", "/config");
export const dashboard = (signal) => call("GET", "/dashboard", { signal });
export const status = (signal) => call("GET", "/status", { signal });
export const search = (q, signal) => call("GET", `/search${query({ q })}`, { signal });

export const listVideos = (values, signal) => call("GET", `/videos${query(values)}`, { signal });
export const getVideo = (id, signal) => call("GET", `/videos/${id}`, { signal });
export const createVideo = (draft, key) => call("POST", "/videos", { body: draft, key });
export const editVideo = (id, changes) => call("PATCH", `/videos/${id}`, { body: changes });
export const deleteVideo = (id) => call("DELETE", `/videos/${id}`);
export const restoreVideo = (id) => call("POST", `/videos/${id}/restore`);
export const duplicateVideo = (id, key) => call("POST", `/videos/${id}/duplicate`, { key });
export const publishVideo = (id) => call("POST", `/videos/${id}/publish`);
export const shareVideo = (id, share, key) => call("POST", `/videos/${id}/share`, { body: share, key });
export const addComment = (id, text, key) => call("POST", `/videos/${id}/comments`, { body: { text }, key });

export const listTeam = (signal) => call("GET", "/team", { signal });
export const invite = (email, role, key) => call("POST", "/team/invitations", { body: { email, role }, key });
export const changeRole = (id, role) => call("PATCH", `/team/${id}`, { body: { role } });
export const removeMember = (id) => call("DELETE", `/team/${id}`);

export const settings = (signal) => call("GET", "/settings", { signal });
export const saveProfile = (profile) => call("PUT", "/settings/profile", { body: profile });
export const saveAppearance = (appearance) => call("PUT", "/settings/appearance", { body: appearance });
export const changePassword = (current, next) => call("PUT", "/settings/password", { body: { current, new: next } });
export const createToken = (name, key) => call("POST", "/settings/tokens", { body: { name }, key });
export const revokeToken = (id) => call("DELETE", `/settings/tokens/${id}`);
export const changePlan = (plan) => call("PUT", "/settings/billing/plan", { body: { plan } });
export const saveCard = (holder, number) => call("PUT", "/settings/billing/card", { body: { holder, number } });

export const labModules = () => call("GET", "/lab/modules");
export const labEffects = () => call("GET", "/lab");
export const labContent = () => call("GET", "/lab/content");
export const labEffect = (hazard, sent = {}, key) => call("POST", `/lab/effects/${hazard}`, { body: sent, key });
export const labGraphql = (query) => call("POST", "/lab/graphql", { body: { query } });
export const labRefusal = (hazard, sent = {}) => call("POST", `/lab/refusals/${hazard}`, { body: sent });
