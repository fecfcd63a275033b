require "json"
require "net/http"

def call(method, path, body = nil)
  uri = URI(ENV.fetch("POSTRIDER_URL") + path)
  request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri)
  request["Authorization"] = "Bearer #{ENV.fetch("POSTRIDER_API_KEY")}"
  request["Content-Type"] = "application/json"
  request.body = JSON.generate(body) if body
  response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
  raise "#{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)

  JSON.parse(response.body) if response.body
end

address = URI.encode_www_form_component(ENV.fetch("TO"))
puts JSON.generate(
  person: call("GET", "/contacts/#{address}"),
  events: call("GET", "/events/contact/#{address}?limit=500")["events"],
  emails: call("GET", "/emails?recipient=#{address}&limit=100")["data"]
)

call("DELETE", "/contacts/#{address}")
puts "erased"
