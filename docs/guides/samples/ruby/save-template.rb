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

receipt = {
  name: "Receipt",
  type: "TRANSACTIONAL",
  from: "Demo <hello@mail.demo.example>",
  subject: "Receipt for order {{order}}",
  body: "<p>Hello {{name ?? there}},</p><p>You paid {{total}} for order {{order}}.</p>"
}

begin
  call("PATCH", "/templates/receipt", receipt)
  puts "updated"
rescue RuntimeError => e
  raise unless e.message.include?("TEMPLATE_NOT_FOUND")

  call("POST", "/templates", { alias: "receipt", **receipt })
  puts "created"
end
