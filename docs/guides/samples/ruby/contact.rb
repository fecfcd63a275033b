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

to = ENV.fetch("TO")
external_id = "user-#{to}" # the id of this person in your own database

contact = call("POST", "/contacts", { email: to, externalId: external_id, data: { plan: "free" } })
puts contact["_meta"]["isNew"] ? "created" : "updated"

path = "/contacts/#{URI.encode_www_form_component("ext:#{external_id}")}"
call("PATCH", path, { data: { plan: "pro" } })

found = call("GET", path)
puts "#{found["email"]} #{found["data"]["plan"]} #{found["subscribed"]}"
